// Stands before the system's own header of this name and adds what headers older than 1.3.268
// (Debian 12 has 1.3.239) do not have: VK_EXT_layer_settings, as llama.cpp's Vulkan backend uses
// it. The layouts are those of the Vulkan specification.

#pragma once

#include_next <vulkan/vulkan.hpp>

#if VK_HEADER_VERSION < 268

#    include <cstdint>
#    include <vector>

namespace VULKAN_HPP_NAMESPACE {

enum class LayerSettingTypeEXT : int32_t { eBool32 = 0 };

struct LayerSettingEXT {
    const char *        pLayerName   = nullptr;
    const char *        pSettingName = nullptr;
    LayerSettingTypeEXT type         = LayerSettingTypeEXT::eBool32;
    uint32_t            valueCount   = 0;
    const void *        pValues      = nullptr;

    LayerSettingEXT(const char * layer, const char * setting, LayerSettingTypeEXT type, uint32_t count,
                    const void * values) :
        pLayerName(layer),
        pSettingName(setting),
        type(type),
        valueCount(count),
        pValues(values) {}
};

struct LayerSettingsCreateInfoEXT {
    int32_t                 sType        = 1000496000;
    const void *            pNext        = nullptr;
    uint32_t                settingCount = 0;
    const LayerSettingEXT * pSettings    = nullptr;

    LayerSettingsCreateInfoEXT(const std::vector<LayerSettingEXT> & settings) :
        settingCount(static_cast<uint32_t>(settings.size())),
        pSettings(settings.data()) {}
};

}  // namespace VULKAN_HPP_NAMESPACE

#endif

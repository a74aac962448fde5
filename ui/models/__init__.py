"""What the window shows of the model in use: pill, loading line, details, and too little memory."""
